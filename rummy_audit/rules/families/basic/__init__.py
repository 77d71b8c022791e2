"""Basic rummy: melds laid on the table, lay-offs on anyone's, the first out wins."""
