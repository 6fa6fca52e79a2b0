import { type RefObject, useEffect, useRef } from 'react'

/**
 * Makes the buttons of a toolbar one stop of the `Tab` key; arrow keys, `Home`, and `End` move between them, as in the toolbar
 * pattern of the ARIA Authoring Practices. Buttons may come and go.
 */
export function useRovingFocus(toolbarRef: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const escapeRef = useRef(onEscape)
  escapeRef.current = onEscape
  useEffect(() => {
    const toolbar = toolbarRef.current
    if (!toolbar) return
    let stop: HTMLButtonElement | undefined
    const buttons = () => [...toolbar.querySelectorAll<HTMLButtonElement>('button:enabled')]

    function update(): void {
      const all = buttons()
      if (!stop || !all.includes(stop)) stop = all[0]
      for (const button of all) {
        const tabIndex = button === stop ? 0 : -1
        if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex
      }
    }
    function handleFocus({ target }: FocusEvent): void {
      if (target instanceof HTMLButtonElement) stop = target
      update()
    }
    function handleKey(event: KeyboardEvent): void {
      if (event.key === 'Escape') escapeRef.current()
      const all = buttons()
      const at = stop ? all.indexOf(stop) : -1
      const index = at < 0 ? undefined : targetOf(event, at, all.length)
      const target = index === undefined ? undefined : all.at(index)
      if (!target) return
      event.preventDefault()
      target.focus()
    }

    update()
    const observer = new MutationObserver(update)
    observer.observe(toolbar, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    toolbar.addEventListener('focusin', handleFocus)
    toolbar.addEventListener('keydown', handleKey)
    return () => {
      observer.disconnect()
      toolbar.removeEventListener('focusin', handleFocus)
      toolbar.removeEventListener('keydown', handleKey)
    }
  }, [toolbarRef])
}

/** Index of the button that a key moves to; -1 is the last one. */
function targetOf({ key }: KeyboardEvent, at: number, count: number): number | undefined {
  const isRtl = document.dir === 'rtl'
  if (key === 'Home') return 0
  if (key === 'End') return -1
  if (key === (isRtl ? 'ArrowLeft' : 'ArrowRight')) return (at + 1) % count
  if (key === (isRtl ? 'ArrowRight' : 'ArrowLeft')) return at - 1
}
