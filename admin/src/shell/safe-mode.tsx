import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { __ } from '../i18n.ts'
import { can, pageData } from '../page-data.ts'

/** A notice on every screen that the site runs without extensions, and how to leave safe mode. */
export function SafeMode() {
  if (!pageData.safeMode || !can('activate_plugins')) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={__('Safe mode', 'pentad')} mb="md">
      {__(
        'The site is running without extensions. Services are still active. Pentad starts in safe mode with --safe-mode, after three crashes within a minute, or when it has run out of memory three times within an hour and no extension could be identified as the cause.',
        'pentad',
      )}{' '}
      {__('To leave safe mode, deactivate the faulty extension, then restart Pentad without --safe-mode.', 'pentad')}{' '}
      <Anchor component={Link} to="/extensions">
        {__('Manage extensions', 'pentad')}
      </Anchor>
    </Alert>
  )
}
