import { useQueryClient } from '@tanstack/react-query'
import { __ } from '@wordpress/i18n'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useRead } from '../../api/query.ts'
import { change, read } from '../../api/rest.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'

/** `wp/v2/settings`. */
export interface SiteSettings {
  readonly title: string
  readonly description: string
  readonly url: string
  readonly email: string
  readonly timezone: string
  readonly date_format: string
  readonly time_format: string
  readonly start_of_week: number
  readonly language: string
  readonly use_smilies: boolean
  readonly default_category: number
  readonly posts_per_page: number
  readonly show_on_front: 'posts' | 'page'
  readonly page_on_front: number
  readonly page_for_posts: number
  readonly default_ping_status: 'open' | 'closed'
  readonly default_comment_status: 'open' | 'closed'
  readonly site_logo: number | null
  readonly site_icon: number
  readonly blog_public: boolean
}

export const SETTINGS = 'wp/v2/settings'

export interface SiteSettingsDraft {
  readonly values: SiteSettings
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** What the server said of each setting that it refused. */
  readonly refusals: Readonly<Record<string, string>>
  /** Settings that somebody else has changed meanwhile; saving again writes over these. */
  readonly conflicts: readonly string[]
  set(changes: Partial<SiteSettings>): void
  discard(): void
  save(): Promise<void>
}

/**
 * The site's settings being edited: only what was changed is sent, and what somebody else has changed meanwhile is shown
 * before it is written over.
 */
export function useSiteSettings() {
  const client = useQueryClient()
  const stored = useRead<SiteSettings>(SETTINGS)
  const [draft, setDraft] = useState<Partial<SiteSettings>>({})
  const [base, setBase] = useState<SiteSettings>()
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)

  function discard(): void {
    setDraft({})
    setBase(undefined)
    setConflicts([])
    setRefusals({})
  }

  /** @returns names of what is in the draft and is no longer what it was when it was changed */
  async function changedByOthers(): Promise<readonly string[]> {
    const now = await read<SiteSettings>(SETTINGS)
    const others = keysOf(draft).filter((key) => base !== undefined && now[key] !== base[key])
    client.setQueryData([SETTINGS, {}], now)
    setBase(now)
    return others
  }

  async function save(): Promise<void> {
    setSaving(true)
    try {
      const others = await changedByOthers()
      setConflicts(others)
      if (others.length > 0) return
      client.setQueryData([SETTINGS, {}], await change<SiteSettings>('POST', SETTINGS, draft))
      discard()
      notifyDone(__('Saved.', 'pentad'))
    } catch (error) {
      if (error instanceof ApiError) setRefusals(error.params)
      notifyFailed(error)
    } finally {
      setSaving(false)
    }
  }

  const drafted = (values: SiteSettings): SiteSettingsDraft => ({
    values: { ...values, ...draft },
    isDirty: keysOf(draft).length > 0,
    ...{ isSaving, refusals, conflicts, discard, save },
    set(changes) {
      setBase((before) => before ?? values)
      setDraft((before) => ({ ...before, ...changes }))
    },
  })
  return { stored, drafted }
}

const KEYS: readonly (keyof SiteSettings)[] = [
  ...([
    'title',
    'description',
    'email',
    'timezone',
    'date_format',
    'time_format',
    'start_of_week',
    'language',
  ] as const),
  ...([
    'use_smilies',
    'default_category',
    'posts_per_page',
    'show_on_front',
    'page_on_front',
    'page_for_posts',
  ] as const),
  ...(['default_ping_status', 'default_comment_status', 'site_logo', 'site_icon', 'blog_public'] as const),
]

const keysOf = (draft: Partial<SiteSettings>) => KEYS.filter((key) => key in draft)
