"""`thorp.env`: rewards, copies, arrays, and the interfaces of other libraries."""
