import { useEffect } from 'react'

/** An element, and what was before and after it when it had the focus, or contained it. */
interface Step {
  readonly element: Element
  readonly neighbors: readonly (Element | null)[]
}

/** From the element with the focus outward. */
type Trail = readonly Step[]

/** Rows of tables and lists: they get the focus themselves in place of one of their buttons. */
const ROW = 'tr, li'
/** What has a heading, or a name. */
const PART = 'section, [role="dialog"], [role="region"], aside, main'
/** Milliseconds: dialogs return the focus before that. */
const PATIENCE = 100

/**
 * Keeps the place of the keyboard. When the element with the focus is removed or disabled, browsers focus the document, and screen
 * readers start at the top again. Here a button has the focus again once it is enabled, and in place of removed elements their row
 * has it, or the next row, or the heading of the part of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Trail = []
    /** Outside of dialogs and menus, which are removed as a whole. */
    let lastInPage: Trail = []
    let timer: ReturnType<typeof setTimeout> | undefined

    const handleFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      last = trailOf(target)
      if (!target.closest('[data-portal]')) lastInPage = last
    }
    /** A click beside everything that can have the focus takes it away on purpose. */
    const handlePointer = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest('[data-portal]')) last = lastInPage = []
    }
    const recover = () => {
      timer = undefined
      if (document.activeElement && document.activeElement !== document.body) return
      for (const trail of [last, lastInPage]) {
        const focused = trail[0]?.element
        // It will be enabled again, also if a dialog has asked for the password meanwhile.
        if (focused?.isConnected && focused.matches('[data-loading]:disabled')) return
        const target = targetOf(trail)
        if (!target) continue
        if (target.tabIndex < 0) target.tabIndex = -1
        target.focus()
        return
      }
    }
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(recover, PATIENCE)
    })
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', handleFocus)
    document.addEventListener('pointerdown', handlePointer)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', handleFocus)
      document.removeEventListener('pointerdown', handlePointer)
    }
  }, [])
}

function trailOf(focused: Element): Trail {
  const trail: Step[] = []
  for (let element: Element | null = focused; element; element = element.parentElement) {
    trail.push({ element, neighbors: [element.nextElementSibling, element.previousElementSibling] })
  }
  return trail
}

/** The element of the trail itself, or the nearest one that is still there. */
function targetOf(trail: Trail): HTMLElement | undefined {
  const at = trail.findIndex(({ element }) => element.isConnected)
  const kept = trail[at]?.element
  if (!kept) return
  if (at === 0 && !kept.matches(':disabled') && kept.checkVisibility()) return focusable(kept)
  const removed = trail[at - 1]
  const neighbor = removed?.element.matches(ROW) && removed.neighbors.find((one) => one?.isConnected)
  const row = neighbor || kept.closest(`${ROW}, ${PART}`)
  return focusable(row?.matches(ROW) ? row : (row?.querySelector('h1, h2, h3') ?? row))
}

const focusable = (element: Element | null | undefined): HTMLElement | undefined =>
  element instanceof HTMLElement ? element : undefined
