/** Reading progress bar, hidden from screen readers. */
import { element } from './element.browser.js'
import { show } from './surface.browser.js'

export function showScrollProgress() {
  const bar = element('div', { className: 'progress', attributes: { 'aria-hidden': 'true' } })
  const update = () => {
    const height = document.documentElement.scrollHeight - innerHeight
    bar.style.transform = `scaleX(${height > 0 ? Math.min(1, scrollY / height) : 0})`
  }
  show(bar)
  addEventListener('scroll', update, { passive: true })
  addEventListener('resize', update)
  update()
}
