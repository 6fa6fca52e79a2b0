import { useHotkeys, useToggle } from '@mantine/hooks'
import { useEffect } from 'react'
import './distraction-free.css'

/** Hides everything around the screen. @returns whether it is hidden, and a function that toggles it, also with WordPress's shortcut */
export function useDistractionFree(): readonly [boolean, () => void] {
  const [isOn, toggle] = useToggle([false, true])
  // By its place on the keyboard: with Shift it types another character.
  useHotkeys([['mod+shift+Backslash', () => toggle(), { usePhysicalKeys: true }]], [], true)
  useEffect(() => {
    const { documentElement: root } = document
    root.toggleAttribute('data-distraction-free', isOn)
    return () => root.removeAttribute('data-distraction-free')
  }, [isOn])
  return [isOn, toggle]
}
