import { escapeHtml } from '../../../core/http/escape-html.ts'

/** Error page for a rejected comment. The browser preserves the input when the visitor goes back. */
export function commentErrorPage(message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Comment Submission Failure</title>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">
<main>
<h1>Your comment could not be posted</h1>
<p role="alert">${escapeHtml(message)}</p>
<p>Use the Back button of your browser to return to the form. Your text is still there.</p>
</main>
</body>
</html>
`
}
