"""What `bin/manage demo` makes: an account with people around it, and a board from every template."""
