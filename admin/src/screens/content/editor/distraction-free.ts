import { useHotkeys, useToggle } from '@mantine/hooks'
import { type RefObject, useEffect } from 'react'
import './distraction-free.css'

/** Moves the cursor into the text of the editor. */
export function focusText(editor: HTMLElement | null): void {
  editor?.querySelector<HTMLElement>('[role="textbox"], textarea')?.focus()
}

/**
 * Hides everything around the screen. A field that is hidden while it has the focus gives it to the text.
 *
 * @returns whether it is hidden, and a function that toggles it, also with WordPress's shortcut
 */
export function useDistractionFree(editor: RefObject<HTMLElement | null>): readonly [boolean, () => void] {
  const [isOn, toggle] = useToggle([false, true])
  // By its place on the keyboard: with Shift it types another character.
  useHotkeys([['mod+shift+Backslash', () => toggle(), { usePhysicalKeys: true }]], [], true)
  useEffect(() => {
    const { documentElement: root } = document
    root.toggleAttribute('data-distraction-free', isOn)
    if (isOn && document.activeElement?.checkVisibility() === false) focusText(editor.current)
    return () => root.removeAttribute('data-distraction-free')
  }, [isOn, editor])
  return [isOn, toggle]
}
