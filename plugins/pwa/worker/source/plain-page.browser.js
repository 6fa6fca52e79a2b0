/** A self-contained page. */
export function plainPage(title, text, status) {
  const { appName, language, direction, texts } = SETTINGS
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${escapeHtml(direction)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${escapeHtml(appName)}</title>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="">${escapeHtml(texts.tryAgain)}</a></p>
`
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
