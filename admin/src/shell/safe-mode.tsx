import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { __ } from '../i18n.ts'
import { can, pageData } from '../page-data.ts'

/** Tells on every screen that the site runs without its extensions, and how they come back. */
export function SafeMode() {
  if (!pageData.safeMode || !can('activate_plugins')) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={__('Safe mode', 'pentad')} mb="md">
      {__(
        'The site runs without extensions; the services go on. Pentad starts in safe mode after the site ended unexpectedly three times within a minute, after it used up its memory three times within an hour without an extension that could be named, and with --safe-mode.',
        'pentad',
      )}{' '}
      {__('To leave it, deactivate the extension at fault, then restart Pentad without --safe-mode.', 'pentad')}{' '}
      <Anchor component={Link} to="/extensions">
        {__('Manage extensions', 'pentad')}
      </Anchor>
    </Alert>
  )
}
