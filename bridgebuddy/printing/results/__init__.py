"""Results on paper: rankings, travellers, hand records and championships."""
