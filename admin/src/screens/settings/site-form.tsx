import { Alert, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { __ } from '../../i18n.ts'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { type SiteSettingsDraft, useSiteSettings } from './site-settings.ts'

/** A settings screen of the site with one save button. */
export function SiteForm({ title, children }: { title: string; children: (draft: SiteSettingsDraft) => ReactNode }) {
  const { stored, drafted } = useSiteSettings()
  return (
    <Page title={title}>
      <Loaded query={stored} lines={8}>
        {(values) => <Form draft={drafted(values)}>{children}</Form>}
      </Loaded>
    </Page>
  )
}

function Form({ draft, children }: { draft: SiteSettingsDraft; children: (draft: SiteSettingsDraft) => ReactNode }) {
  const { isDirty, isSaving, conflicts } = draft
  useLeaveGuard(isDirty)
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
