import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../i18n.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Page } from '../parts/page.tsx'

/** The page does not exist, or the user may not open it: the message does not reveal which. */
export function NotFound() {
  return (
    <Page title={__('Page not found', 'pentad')}>
      <EmptyState
        title={__('This page does not exist, or you are not allowed to open it', 'pentad')}
        action={
          <Button component={Link} to="/">
            {__('Go to the dashboard', 'pentad')}
          </Button>
        }
      >
        {__('Inactive services have no pages. If you need access, ask a site administrator.', 'pentad')}
      </EmptyState>
    </Page>
  )
}
