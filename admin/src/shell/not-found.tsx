import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../i18n.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Page } from '../parts/page.tsx'

/** An address that is none, or that this user may not open: which of the two is not said. */
export function NotFound() {
  return (
    <Page title={__('Nothing here', 'pentad')}>
      <EmptyState
        title={__('There is no such screen, or you may not open it', 'pentad')}
        action={
          <Button component={Link} to="/">
            {__('Go to the dashboard', 'pentad')}
          </Button>
        }
      >
        {__(
          'A service that is not active has no screens. If you need more rights, ask an administrator of the site.',
          'pentad',
        )}
      </EmptyState>
    </Page>
  )
}
