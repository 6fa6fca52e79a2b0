import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { invalidate } from '../../../api/query.ts'
import { change, read } from '../../../api/rest.ts'
import { __ } from '../../../i18n.ts'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import type { ContentType } from '../types.ts'
import { bodyOf, type Changes, type StoredPost } from './fields.ts'
import { pluginEditors } from './plugin-editors.ts'
import type { Edited } from './use-edited.ts'

const READ_BY_PLUGINS = pluginEditors.flatMap(({ invalidates = [] }) => invalidates)

export interface Saving {
  readonly isBusy: boolean
  /** The conflicting version, until the user has decided. */
  readonly conflict: StoredPost | undefined
  /** Saves the changes. Resolves to the stored post, or to nothing if saving failed. */
  save(more?: Changes, options?: SaveOptions): Promise<StoredPost | undefined>
  settleConflict(): void
}

interface SaveOptions {
  /** Overwrites a version that the user has not seen. */
  readonly overwrites?: boolean
}

/** Saves sequentially. Never overwrites a version that the user has not seen without asking. */
export function useSaving(type: ContentType, edited: Edited, onCreated: (post: StoredPost) => void): Saving {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<StoredPost>()
  const now = useRef(edited)
  now.current = edited
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const base = `wp/v2/${type.rest_base}`

  async function send(more: Changes, { overwrites = false }: SaveOptions) {
    const { changes, stored, post, seen } = now.current
    const sent: Changes = { ...changes, ...more }
    const body = bodyOf(stored, sent, type)
    try {
      const saved = post
        ? await change<StoredPost>('POST', `${base}/${post.id}`, {
            ...body,
            ...(!overwrites && { modified_gmt: seen }),
          })
        : await change<StoredPost>('POST', base, { status: 'draft', ...body })
      now.current.take(saved, sent)
      if (!post) onCreated(saved)
      notifyDone(messageFor(type, post?.status, saved))
      await invalidate(client, [`${base}?`, 'host/v1/post-counts', ...READ_BY_PLUGINS])
      client.removeQueries({ queryKey: [base] })
      return saved
    } catch (error) {
      if (error instanceof ApiError && error.code === 'rest_post_modified' && post) {
        setConflict(await read<StoredPost>(`${base}/${post.id}`, { context: 'edit' }))
      } else notifyFailed(error)
      return undefined
    }
  }

  return {
    isBusy,
    conflict,
    settleConflict: () => setConflict(undefined),
    async save(more = {}, options = {}) {
      const before = last.current
      const own = (async () => {
        await before.catch(() => {})
        setBusy(true)
        try {
          return await send(more, options)
        } finally {
          setBusy(false)
        }
      })()
      last.current = own
      return own
    },
  }
}

function messageFor({ labels }: ContentType, before: string | undefined, { status }: StoredPost): string {
  const words =
    before === status && status !== 'draft'
      ? labels.item_updated
      : STATUS_LABELS[status] && labels[STATUS_LABELS[status]]
  return words ?? __('Saved.', 'pentad')
}

const STATUS_LABELS: Readonly<Record<string, string>> = {
  publish: 'item_published',
  private: 'item_published_privately',
  future: 'item_scheduled',
}
