import type { PageTexts } from '../text/translations.ts'

/** A page that needs nothing of the site, because the theme may be what failed. */
export function noticePage(notice: {
  readonly texts: Pick<PageTexts, 'language' | 'direction'>
  /** HTML. */
  readonly title: string
  /** HTML. */
  readonly body: string
  /** Seconds after which browsers reload the page. Default: never. */
  readonly refresh?: number
}): string {
  const { texts, title, body, refresh } = notice
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">\n`}<title>${title}</title>
</head>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">
<main>
${body}
</main>
</body>
</html>
`
}
