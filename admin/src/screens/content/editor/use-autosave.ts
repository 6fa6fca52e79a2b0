import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { change } from '../../../api/rest.ts'
import type { ContentType } from '../types.ts'
import { type Changes, hasField } from './fields.ts'
import { forgetLocally, keepLocally } from './local-copy.ts'
import type { Edited } from './use-edited.ts'

/** Delays in ms from the last keystroke to saving in this browser and on the server. */
const LOCAL_AFTER = 500
const SERVER_AFTER = 8_000

const TEXTS = ['title', 'content', 'excerpt'] as const

/** The server's response to an autosave. For the user's own draft, it is the draft itself. */
export interface Autosave {
  readonly id: number
  readonly parent: number
  readonly modified_gmt: string
  readonly title: { readonly raw: string }
  readonly content?: { readonly raw: string }
  readonly excerpt?: { readonly raw: string }
  readonly author: number
}

/**
 * Saves input automatically: in this browser immediately, on the server after a delay. The next save deletes both copies.
 * @returns the time of the last autosave on the server, ISO 8601
 */
export function useAutosave(type: ContentType, edited: Edited): string | undefined {
  const [at, setAt] = useState<string>()
  const now = useRef(edited)
  now.current = edited
  const { changes, isDirty, post } = edited
  const id = post?.id

  async function keep(): Promise<void> {
    const { fields, post: current, seen: version, noteAutosave } = now.current
    if (!current || type.supports.revisions !== true) return
    const text: Changes = Object.fromEntries(
      TEXTS.filter((name) => hasField(type, name)).map((name) => [name, fields[name]]),
    )
    try {
      const path = `wp/v2/${type.rest_base}/${current.id}/autosaves`
      const saved = await change<Autosave>('POST', path, { ...text, modified_gmt: version })
      if (saved.id === current.id) noteAutosave(text, saved.modified_gmt)
      setAt(new Date().toISOString())
    } catch (error) {
      // Having nothing to save is fine, and conflicts are reported when the post is saved.
      if (!(error instanceof ApiError)) throw error
    }
  }

  const keepOnServer = useDebouncedCallback(() => {
    if (TEXTS.some((name) => name in now.current.changes)) void keep()
  }, SERVER_AFTER)
  const keepHere = useDebouncedCallback(() => {
    const { changes: typed, isDirty: isTyped } = now.current
    if (isTyped) keepLocally(type.slug, id, { changes: typed, at: new Date().toISOString() })
  }, LOCAL_AFTER)

  const hadChanges = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was typed
  useEffect(() => {
    if (isDirty) {
      hadChanges.current = true
      keepHere()
      keepOnServer()
    } else if (hadChanges.current) {
      hadChanges.current = false
      keepHere.cancel()
      keepOnServer.cancel()
      forgetLocally(type.slug, id)
    }
  }, [changes, isDirty])
  return at
}
