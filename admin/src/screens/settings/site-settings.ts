import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change, read } from '../../api/rest.ts'
import { useSingleFlight } from '../../api/single-flight.ts'
import { __ } from '../../i18n.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { SETTINGS } from '../../parts/site-title.ts'

/** `wp/v2/settings`. */
export type SiteSettings = Responses['Settings']

export interface SiteSettingsDraft {
  readonly values: SiteSettings
  readonly stored: SiteSettings
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** The server's error messages by setting. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** Labels of settings that another user has changed; saving again overwrites them. */
  readonly conflicts: readonly string[]
  set(changes: Partial<SiteSettings>): void
  discard(): void
  /** @returns whether the settings were saved */
  save(): Promise<boolean>
}

/**
 * The site settings in a form: only changes are sent, and changes by other users are shown before they are overwritten.
 */
export function useSiteSettings() {
  const client = useQueryClient()
  const stored = useRead<SiteSettings>(SETTINGS)
  const [draft, setDraft] = useState<Partial<SiteSettings>>({})
  const [base, setBase] = useState<SiteSettings>()
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const [fieldErrors, setRefusals] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const once = useSingleFlight<void, boolean>()

  function discard(): void {
    setDraft({})
    setBase(undefined)
    setConflicts([])
    setRefusals({})
  }

  /** @returns labels of the changed settings whose stored value has changed since */
  async function changedByOthers(): Promise<readonly string[]> {
    const now = await read<SiteSettings>(SETTINGS)
    const others = NAMES.filter(([key]) => key in draft && base !== undefined && now[key] !== base[key])
    client.setQueryData([SETTINGS, {}], now)
    setBase(now)
    return others.map(([, name]) => name)
  }

  async function send(): Promise<boolean> {
    setSaving(true)
    try {
      const others = await changedByOthers()
      setConflicts(others)
      if (others.length > 0) return false
      client.setQueryData([SETTINGS, {}], await change<SiteSettings>('POST', SETTINGS, draft))
      discard()
      notifyDone(__('Settings saved.', 'pentad'))
      return true
    } catch (error) {
      if (error instanceof ApiError) setRefusals(error.params)
      notifyFailed(error)
      return false
    } finally {
      setSaving(false)
    }
  }

  const drafted = (values: SiteSettings): SiteSettingsDraft => ({
    values: { ...values, ...draft },
    stored: values,
    isDirty: keysOf(draft).length > 0,
    ...{ isSaving, fieldErrors, conflicts, discard },
    save: () => once(undefined, send),
    set(changes) {
      setBase((before) => before ?? values)
      setDraft((before) => ({ ...before, ...changes }))
    },
  })
  return { stored, drafted }
}

/** The label of each setting. */
const NAMES: readonly (readonly [keyof SiteSettings, string])[] = [
  ['title', __('Site title', 'pentad')],
  ['description', __('Tagline', 'pentad')],
  ['email', __('Administration email address', 'pentad')],
  ['timezone', __('Time zone', 'pentad')],
  ['date_format', __('Date format', 'pentad')],
  ['time_format', __('Time format', 'pentad')],
  ['start_of_week', __('Week starts on', 'pentad')],
  ['language', __('Site language', 'pentad')],
  ['use_smilies', __('Convert emoticons like :-) to graphics', 'pentad')],
  ['default_category', __('Default post category', 'pentad')],
  ['posts_per_page', __('Posts per page', 'pentad')],
  ['show_on_front', __('Your homepage displays', 'pentad')],
  ['page_on_front', __('Homepage', 'pentad')],
  ['page_for_posts', __('Posts page', 'pentad')],
  ['default_ping_status', __('Allow pingbacks on new posts', 'pentad')],
  ['default_comment_status', __('Allow comments on new posts', 'pentad')],
  ['site_logo', __('Logo', 'pentad')],
  ['site_icon', __('Site icon', 'pentad')],
  ['permalink_structure', __('Permalink structure', 'pentad')],
  ['category_base', __('Category base', 'pentad')],
  ['tag_base', __('Tag base', 'pentad')],
  ['blog_public', __('Allow search engines to index this site', 'pentad')],
]

const keysOf = (draft: Partial<SiteSettings>) => NAMES.flatMap(([key]) => (key in draft ? [key] : []))
