"""The browser itself, and what looks for barriers in its pages."""


def test_chromium_draws_and_axe_finds_what_is_wrong(page, axe):
    page.set_content("<html lang=en><title>Hand</title><main><h1>Hand</h1></main></html>")
    assert axe(page) == []

    page.set_content(
        "<html lang=en><title>Hand</title><main><h1>Hand</h1><img src=x></main></html>"
    )
    assert [line.partition(":")[0] for line in axe(page)] == ["image-alt"]
