//! Laws 2, 6 and 10 on random policies.
