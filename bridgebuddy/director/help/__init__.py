"""Help: the purpose of each page in a few lines, and all of docs/, rendered and searchable."""
