/**
 * Errors of the server that the login pages show in the reader's language, for the translation template. The pages translate them by
 * their message, with `%s` for each number (`errorText` in `cms/login/pages.ts`).
 */
export const SERVER_ERRORS: readonly string[] = [
  // Log in
  'The username or password is incorrect.',
  'Too many failed login attempts. Please wait before you try again.',
  'The server is busy. Please try to log in again in a moment.',
  // Passkeys
  'The passkey could not be verified. Please try again.',
  'The passkey could not be verified. It may have been removed, or the request took too long. Please try again.',
  'Too many failed logins. Please wait a minute before you try again.',
  // Codes
  'The code is incorrect or was already used. Check that the time on your device is right, and enter the current code.',
  'Too many wrong codes. Please wait %s seconds before you try again.',
  // Passwords
  'Too many requests. Please wait before you try again.',
  'Passwords cannot be empty.',
  'Passwords cannot be longer than %s characters.',
  'The password is too short. Choose one with at least %s characters.',
  'The password must not be the username, the email address, or the site title.',
  'This password is too common. Choose another one.',
  // Links in emails
  'This link has expired.',
  'This link is not valid. It may have been used or replaced by a newer one.',
  'This link is not valid. It may have expired, been used, or been replaced by a newer one.',
  'This link is not valid, or it has expired.',
  'This form was submitted from another site.',
  'Sorry, that email address is already used!',
  'The comment was deleted.',
  'Invalid comment ID.',
  'The action is not valid.',
  'Your data could not be read. Please try again later, or contact the site administrator.',
]
