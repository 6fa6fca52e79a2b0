import { useEffect, useState } from 'react'

/**
 * Reloads the page once a language that was just saved differs from the one with which the page was loaded: the texts of the
 * admin come with the page.
 */
export function useReloadForLanguage(stored: string, isDirty: boolean): void {
  const [first] = useState(stored)
  useEffect(() => {
    // Not while there are changes: they would be lost.
    if (stored !== first && !isDirty) window.location.reload()
  }, [stored, first, isDirty])
}
