"""The part of the zip that people read without the service: Markdown and HTML, made of the same steps as the JSON."""
