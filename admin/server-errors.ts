/**
 * Errors of the server that the login, comment, and error pages show in the reader's language, for the translation template. The pages
 * translate them by their message, with `%s` for each number (`errorText` in `cms/text/error-text.ts`).
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
  'The recovery code is incorrect or was already used. Each one works only once: enter another one.',
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
  // Comments
  'Sorry, comments are not available for this item.',
  'Sorry, comments are closed for this item.',
  'Sorry, this post is password protected. Enter its password to comment.',
  'Sorry, you must be logged in to comment.',
  'Sorry, replies to unapproved comments are not allowed.',
  'Please fill in your name and your email address.',
  'Please enter a valid email address.',
  'Please type your comment text.',
  'Your name is too long.',
  'Your email address is too long.',
  'Your URL is too long.',
  'Your comment is too long.',
  'Duplicate comment detected; it looks as though you’ve already said that!',
  'You are posting comments too quickly. Slow down.',
  'You are posting comments too quickly. Please wait a few minutes.',
  'This comment was sent from another website. Please use the comment form on the page itself.',
  'This comment looks like spam because a hidden field was filled in. Please leave that field empty and try again.',
  // Errors of the server
  'Briefly unavailable for scheduled maintenance. Please check back in a minute.',
  'There has been a critical error on this website. Please try again later.',
  'An unexpected error occurred.',
  'The server’s disk is full, so nothing was saved. Free up space, then try again.',
  'The server cannot write to the site folder or the database, so nothing was saved. Make them writable, then try again.',
  'The database is damaged. Restore the site from a backup.',
  'The database file was deleted or replaced while the site was running, so nothing was saved. Put it back, or restore a backup, then restart the site.',
  'The database is not available. Try again in a few seconds.',
  'The server has too many open files and connections. Try again in a few seconds.',
  'Request body too large.',
  'Method not allowed.',
]
