import { Button, Group } from '@mantine/core'
import { useRouteError } from 'react-router'
import { __ } from '../i18n.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { Page } from '../parts/page.tsx'

/** A screen that could not be loaded or drawn; the frame around it goes on. */
export function ScreenError() {
  const error = useRouteError()
  return (
    <Page title={__('This page could not be displayed', 'pentad')}>
      <ErrorNote error={error} />
      <Group mt="md">
        {/* A newer version of the site has its files under other names. */}
        <Button onClick={() => window.location.reload()}>{__('Reload page', 'pentad')}</Button>
      </Group>
    </Page>
  )
}
