import { escapeHtml } from '../../core/http/escape-html.ts'

/** What emails take from the site. */
export interface MailLook {
  readonly title: string
  readonly url: string
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Absolute URL; `undefined` if the site has no logo. */
  readonly logoUrl: string | undefined
  /** `#rrggbb`, for links and the line at the top; readable on white. */
  readonly accent: string
}

/** A URL in plain text, without the punctuation after it. */
const URL_IN_TEXT = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g

/**
 * The HTML part of an email that has only text: the text with links, below the logo or title of the site. Styles are inline and
 * there are no scripts, as mail programs require.
 */
export function mailHtml(subject: string, text: string, look: MailLook): string {
  const { title, url, language, direction, logoUrl, accent } = look
  const name = escapeHtml(title)
  const site = escapeHtml(url)
  const head = logoUrl
    ? `<img src="${escapeHtml(logoUrl)}" alt="${name}" style="max-width:220px;max-height:64px">`
    : `<span style="font-size:20px;font-weight:bold">${name}</span>`
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject.replace(/\s+/g, ' '))}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f3f4f6;color:#1d2327;font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:600px;margin:0 auto;background:#fff;border-top:4px solid ${accent}">
<div style="padding:24px 28px 0"><a href="${site}" style="color:#1d2327;text-decoration:none">${head}</a></div>
<div style="padding:16px 28px 28px;overflow-wrap:anywhere">${paragraphs(text, accent)}</div>
</div>
<p style="max-width:600px;margin:16px auto 0;text-align:center;font-size:13px;color:#50575e"><a href="${site}" style="color:#50575e">${name}</a></p>
</body>
</html>
`
}

function paragraphs(text: string, accent: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p style="margin:0 0 16px">${linked(paragraph, accent).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}

function linked(text: string, accent: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(URL_IN_TEXT)) {
    const [url] = match
    const href = escapeHtml(url)
    html += `${escapeHtml(text.slice(end, match.index))}<a href="${href}" style="color:${accent}">${href}</a>`
    end = match.index + url.length
  }
  return html + escapeHtml(text.slice(end))
}
