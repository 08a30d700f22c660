"""Mails with results and news: addresses, contents, batches and bounces."""
