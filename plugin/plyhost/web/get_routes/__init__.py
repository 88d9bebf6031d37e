"""What is read with GET: documents, pictures, the playground, what is here."""
