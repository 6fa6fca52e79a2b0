import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import type { FormEvent, ReactNode } from 'react'
import { useLeaveGuard } from '../../parts/leave-guard.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type SiteSettingsDraft, useSiteSettings } from './site-settings.ts'

/** A screen of the site's settings, with one button that saves them. */
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
          <Alert color="yellow" role="alert" title={__('Somebody has changed the same settings meanwhile', 'pentad')}>
            {__('Save again to keep yours, or discard them to see theirs:', 'pentad')} {conflicts.join(', ')}
          </Alert>
        )}
        <Paper withBorder p="sm" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
          <Group>
            <Button type="submit" loading={isSaving} disabled={!isDirty}>
              {__('Save', 'pentad')}
            </Button>
            <Button variant="subtle" onClick={draft.discard} disabled={!isDirty || isSaving}>
              {__('Discard', 'pentad')}
            </Button>
            <Text size="sm" c="dimmed" aria-live="polite">
              {isDirty ? __('There are changes that are not saved.', 'pentad') : ''}
            </Text>
          </Group>
        </Paper>
      </Stack>
    </form>
  )
}
