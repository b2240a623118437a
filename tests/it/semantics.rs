//! What each form of the language means (sections 3 to 9).
