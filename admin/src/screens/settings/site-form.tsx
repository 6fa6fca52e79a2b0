import { Alert, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { __ } from '../../i18n.ts'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useReloadForLanguage } from '../../parts/reload-for-language.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { type SiteSettingsDraft, useSiteSettings } from './site-settings.ts'

/** A settings screen of the site with one save button. */
export function SiteForm({ title, children }: { title: string; children: (draft: SiteSettingsDraft) => ReactNode }) {
  const { stored, drafted } = useSiteSettings()
  return (
    <Page title={title}>
      <Loaded query={stored} lines={8}>
        {(values) => (
          <Form draft={drafted(values)} language={values.language}>
            {children}
          </Form>
        )}
      </Loaded>
    </Page>
  )
}

interface FormProps {
  readonly draft: SiteSettingsDraft
  /** The stored language. */
  readonly language: string
  readonly children: (draft: SiteSettingsDraft) => ReactNode
}

function Form({ draft, language, children }: FormProps) {
  const { isDirty, isSaving, conflicts } = draft
  useLeaveGuard(isDirty)
  useReloadForLanguage(language, isDirty)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void draft.save()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={760}>
        {children(draft)}
        {conflicts.length > 0 && (
          <Alert color="yellow" role="alert" title={__('Someone else changed the same settings', 'pentad')}>
            {__('Save again to overwrite these settings, or discard your changes to see the new values:', 'pentad')}{' '}
            <strong>{conflicts.join(', ')}</strong>
          </Alert>
        )}
        <SaveBar isDirty={isDirty} isSaving={isSaving} onDiscard={draft.discard} />
      </Stack>
    </form>
  )
}
