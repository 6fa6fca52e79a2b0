import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'

export type Preview = Responses['POST /host/v1/appearance/preview']

/** Delay after the last change, in ms. */
const DELAY = 400

interface Unsaved {
  readonly settings: Readonly<Record<string, unknown>>
  readonly siteLogo: number
  readonly siteIcon: number
  /** Name of a theme that is not active; `undefined` for the active one. */
  readonly theme: string | undefined
}

/**
 * Stores the unsaved values for a preview, a moment after the last change. The previous preview stays until then, and
 * while a value is invalid.
 * @param isValid `false` while a value is known to be invalid: it is not sent
 */
export function usePreview(unsaved: Unsaved, isValid: boolean): Preview | undefined {
  const current = JSON.stringify(unsaved)
  const [sent, setSent] = useState(current)
  useEffect(() => {
    if (!isValid) return
    const timer = setTimeout(() => setSent(current), DELAY)
    return () => clearTimeout(timer)
  }, [current, isValid])
  const { data } = useQuery({
    queryKey: ['appearance-preview', sent],
    queryFn: () => change<Preview>('POST', 'host/v1/appearance/preview', JSON.parse(sent)),
    placeholderData: (previous: Preview | undefined) => previous,
    // The server forgets it after an hour.
    staleTime: 1_800_000,
    gcTime: 0,
    retry: false,
  })
  return data
}
