import { Button } from '@mantine/core'
import { IconPencilPlus, IconPhotoPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { can, hasService } from '../../page-data.ts'
import { pluginDashboards } from './plugin-dashboards.ts'

const OF_PLUGINS = pluginDashboards.flatMap(({ id, quickAction }) =>
  hasService(id) && quickAction ? [quickAction] : [],
)

/** Buttons for the most common tasks. */
export function QuickActions() {
  return (
    <>
      <Button component={Link} to="/posts/new" leftSection={<IconPencilPlus size={16} aria-hidden />}>
        {__('New post', 'pentad')}
      </Button>
      {can('manage_options') &&
        OF_PLUGINS.map(({ label, to, icon: Icon }) => (
          <Button key={to} component={Link} to={to} variant="default" leftSection={<Icon size={16} aria-hidden />}>
            {label}
          </Button>
        ))}
      {can('upload_files') && (
        <Button component={Link} to="/media" variant="default" leftSection={<IconPhotoPlus size={16} aria-hidden />}>
          {__('Upload media', 'pentad')}
        </Button>
      )}
    </>
  )
}
