export const label = "OK";
