// The rows of a deal's form: a tap on a mark fills in its points, a second tap takes it off.
export function markTaps(form, changed) {
  form.classList.add("scripted");
  form.addEventListener("pointerdown", remember, true);
  form.addEventListener("keydown", remember, true);
  form.addEventListener("click", (click) => {
    const mark = click.target;
    if (!mark.matches?.('.chips input[type="radio"]')) return;
    const seat = mark.name.slice(1);
    const points = form.elements[`p${seat}`];
    if (before === mark) {
      mark.form.elements[mark.name].value = "";
      points.value = "";
    } else {
      points.value = mark.dataset.points ?? "";
    }
    before = null;
    changed();
  });
  form.addEventListener("input", (input) => {
    if (input.target.matches('input[inputmode="numeric"]')) input.target.value = input.target.value.replace(/\D/g, "");
    changed();
  });
  form.addEventListener("change", changed);
  let before = null;
  function remember(press) {
    const radio = press.target.closest?.("label")?.querySelector('input[type="radio"]') ?? press.target;
    before = radio.checked && radio.value ? radio : null;
  }
}
