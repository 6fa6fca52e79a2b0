import { useCallback, useMemo, useState } from 'react'
import type { ContentTaxonomy } from '../types.ts'
import { type Changes, type Fields, fieldsOf, newFields, realChanges, type StoredPost } from './fields.ts'

/** The state of a post in the editor: the stored version, and the user's changes. */
export interface Edited {
  /** The current values in the editor. */
  readonly fields: Fields
  readonly stored: Fields
  readonly changes: Changes
  readonly isDirty: boolean
  /** The last response of the server; `undefined` until the post is first saved. */
  readonly post: StoredPost | undefined
  /** The version that the user has seen, for saves that must not overwrite a newer one. */
  readonly seen: string | undefined
  set(changes: Changes): void
  setMeta(key: string, value: unknown): void
  setTerms(restBase: string, ids: readonly number[]): void
  /** Adopts the server's version. Changes that are not in `sent` are kept. */
  take(post: StoredPost, sent: Changes): void
  /** Text was stored without the other fields, by an autosave of the user's own draft. */
  noteAutosave(text: Changes, modifiedGmt: string): void
  /** Resets to the stored version, or to another version of the post. */
  discard(post?: StoredPost): void
}

export function useEdited(
  first: StoredPost | undefined,
  taxonomies: readonly ContentTaxonomy[],
  authorId: number,
): Edited {
  const [post, setPost] = useState(first)
  const [seen, setSeen] = useState(first?.modified_gmt)
  const [stored, setStored] = useState(() => (first ? fieldsOf(first, taxonomies) : newFields(authorId)))
  const [typed, setTyped] = useState<Changes>({})

  const set = useCallback((changes: Changes) => setTyped((before) => ({ ...before, ...changes })), [])
  const changes = useMemo(() => realChanges(stored, typed), [stored, typed])
  const fields = useMemo(() => ({ ...stored, ...changes }), [stored, changes])

  const show = useCallback(
    (now: StoredPost) => {
      setPost(now)
      setSeen(now.modified_gmt)
      setStored(fieldsOf(now, taxonomies))
    },
    [taxonomies],
  )
  const take = useCallback(
    (now: StoredPost, sent: Changes) => {
      show(now)
      setTyped((before) => withoutSent(before, sent))
    },
    [show],
  )
  const noteAutosave = useCallback((text: Changes, modifiedGmt: string) => {
    setSeen(modifiedGmt)
    setStored((before) => ({ ...before, ...text }))
  }, [])
  const discard = useCallback(
    (now?: StoredPost) => {
      setTyped({})
      if (now) show(now)
    },
    [show],
  )
  return {
    ...{
      fields,
      stored,
      changes,
      isDirty: Object.keys(changes).length > 0,
      post,
      seen,
      set,
      take,
      noteAutosave,
      discard,
    },
    setMeta: (key, value) => set({ meta: { ...fields.meta, [key]: value } }),
    setTerms: (restBase, ids) => set({ terms: { ...fields.terms, [restBase]: ids } }),
  }
}

/** Keeps input typed while a save was in flight. */
function withoutSent(typed: Changes, sent: Changes): Changes {
  const left = Object.entries(typed).filter(
    ([name, value]) => !(name in sent) || !Object.is(value, Reflect.get(sent, name)),
  )
  return Object.fromEntries(left)
}
