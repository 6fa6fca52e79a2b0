import { Button, Group } from '@mantine/core'
import { useRouteError } from 'react-router'
import { __ } from '../i18n.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { Page } from '../parts/page.tsx'

/** Shown when a screen fails to load or render; the layout around it keeps working. */
export function ScreenError() {
  const error = useRouteError()
  return (
    <Page title={__('This page could not be displayed', 'pentad')}>
      <ErrorNote error={error} />
      <Group mt="md">
        {/* After an update, the files of the old version no longer exist. */}
        <Button onClick={() => window.location.reload()}>{__('Reload page', 'pentad')}</Button>
      </Group>
    </Page>
  )
}
