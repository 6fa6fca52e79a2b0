const SVG = 'http://www.w3.org/2000/svg'

const PATHS = {
  bell: 'M6 9a6 6 0 0 1 12 0c0 6 2 7 2 8H4c0-1 2-2 2-8M10 20a2 2 0 0 0 4 0',
  install: 'M12 3v12m0 0 4-4m-4 4-4-4M5 19h14',
  share: 'M12 15V3m0 0L8 7m4-4 4 4M5 12v8h14v-8',
}

/** An SVG icon that is hidden from screen readers. */
export function icon(name) {
  const drawing = document.createElementNS(SVG, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  drawing.append(path)
  return drawing
}
