import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiError } from '../api/error.ts'
import { useRead } from '../api/query.ts'
import { change } from '../api/rest.ts'
import { useSingleFlight } from '../api/single-flight.ts'
import { __ } from '../i18n.ts'
import { type PageData, pageData, readPageData } from '../page-data.ts'
import { notifyDone, notifyFailed } from '../parts/notify.ts'
import { parseHtml } from '../parts/parse-html.ts'
import type { SettingSchema } from './schema.ts'
import { translateSettings } from './translate.ts'

type Values = Readonly<Record<string, unknown>>

interface RecordSchema {
  readonly schema: { readonly properties?: Readonly<Record<string, SettingSchema>> }
}

const translate = ({ schema: { properties = {} } }: RecordSchema): RecordSchema => ({
  schema: { properties: translateSettings(properties) },
})

export interface SettingsDraft {
  /** Undefined while loading. */
  readonly schema: Readonly<Record<string, SettingSchema>> | undefined
  /** The stored values with unsaved changes. Secrets are shown as `********`. */
  readonly values: Values
  /** Changed keys. */
  readonly changed: readonly string[]
  /** Changed keys that another user has changed too; saving again overwrites them. */
  readonly conflicts: readonly string[]
  /** The server's error messages by key. */
  readonly fieldErrors: Readonly<Record<string, string>>
  readonly isSaving: boolean
  readonly error: Error | null
  set(changes: Values): void
  discard(): void
  /** @returns whether the settings were saved */
  save(): Promise<boolean>
}

const PAGE_DATA = ['page-data']

/** No route returns settings values: the page itself is fetched for the current ones. */
async function readPage(): Promise<PageData> {
  const response = await fetch('/wp-admin/')
  return readPageData(parseHtml(await response.text()))
}

/** The current data of the page, also after settings were changed. */
export function usePageData(): PageData {
  const { data } = useQuery({
    queryKey: PAGE_DATA,
    queryFn: readPage,
    initialData: pageData,
    initialDataUpdatedAt: performance.timeOrigin,
    staleTime: 2_000,
  })
  return data
}

/** The stored values of a settings record; for previews. */
export function useSettingValues(name: string): Values {
  return usePageData().settings[name]?.values ?? {}
}

/**
 * The settings of the host (`host`, `discussion`), of a service, or of an extension in a form. A save sends the version it
 * is based on, so two tabs never overwrite each other silently.
 */
export function useSettings(name: string): SettingsDraft {
  const client = useQueryClient()
  const schema = useRead<RecordSchema>(`host/v1/settings-schema/${name}`, undefined, { select: translate })
  const stored = useSettingValues(name)
  const [draft, setDraft] = useState<Values>({})
  const [base, setBase] = useState<PageData['settings'][string]>()
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const [fieldErrors, setRefusals] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const once = useSingleFlight<void, boolean>()

  const set = useCallback(
    (changes: Values) => {
      // Changes are based on the version that is shown when they are made, whatever is loaded later.
      setBase((before) => before ?? client.getQueryData<PageData>(PAGE_DATA)?.settings[name])
      setDraft((before) => ({ ...before, ...changes }))
      setRefusals((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !(key in changes))))
    },
    [client, name],
  )
  const discard = useCallback(() => {
    setDraft({})
    setBase(undefined)
    setConflicts([])
    setRefusals({})
  }, [])

  async function showOthers(): Promise<void> {
    const before = base?.values ?? {}
    const now = await client.fetchQuery({ queryKey: PAGE_DATA, queryFn: readPage, staleTime: 0 })
    const record = now.settings[name]
    const others = Object.keys(draft).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(record?.values[key]),
    )
    setBase(record)
    setConflicts(others)
    notifyFailed(
      new Error(
        others.length > 0
          ? __(
              'Someone else changed the same settings. Save again to overwrite their changes, or discard yours.',
              'pentad',
            )
          : __('Someone else changed other settings, which are now shown. Save again to apply your changes.', 'pentad'),
      ),
    )
  }

  async function send(): Promise<boolean> {
    const sent = draft
    setSaving(true)
    try {
      const headers: Record<string, string> = base ? { 'If-Match': `"${base.version}"` } : {}
      await change('PUT', `host/v1/settings/${name}`, { settings: sent }, { headers })
      const now = await client.fetchQuery({ queryKey: PAGE_DATA, queryFn: readPage, staleTime: 0 })
      // Input typed during a save stays a change.
      setDraft((latest) => Object.fromEntries(Object.entries(latest).filter(([key, value]) => sent[key] !== value)))
      setBase(now.settings[name])
      setConflicts([])
      setRefusals({})
      notifyDone(__('Settings saved.', 'pentad'))
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'settings_changed') await showOthers()
      else {
        if (error instanceof ApiError) setRefusals(error.params)
        notifyFailed(error)
      }
      return false
    } finally {
      setSaving(false)
    }
  }

  return {
    schema: schema.data?.schema.properties,
    values: { ...stored, ...draft },
    changed: Object.keys(draft),
    ...{ conflicts, fieldErrors, isSaving, error: schema.error, set, discard },
    save: () => once(undefined, send),
  }
}
