import { escapeHtml } from 'pentad'
import type { BarSettings } from './settings.ts'

/** CSS of the bar. The text is black or white, depending on the contrast. */
export function barStyle({ color }: BarSettings): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const brightness = (red * 299 + green * 587 + blue * 114) / 1000
  return `<style>.announcement-bar{background:${color};color:${brightness > 140 ? '#000' : '#fff'};padding:.6rem 1rem;text-align:center}.announcement-bar a{color:inherit}</style>`
}

/** HTML of the bar. */
export function barHtml({ message, linkUrl }: BarSettings): string {
  const text = escapeHtml(message)
  const inner = linkUrl ? `<a href="${escapeHtml(linkUrl)}">${text}</a>` : text
  return `<div class="announcement-bar" role="region" aria-label="Announcement">${inner}</div>`
}
