"""The operators' banner at the top of all pages: what is kept of it, its pages and its part of the admin."""
