import { Button } from '@mantine/core'
import { IconArchive, IconPencilPlus, IconPhotoPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { can, hasService } from '../../page-data.ts'

/** What people come for most. */
export function QuickActions() {
  return (
    <>
      <Button component={Link} to="/posts/new" leftSection={<IconPencilPlus size={16} aria-hidden />}>
        {__('New post', 'pentad')}
      </Button>
      {can('manage_options') && hasService('backup') && (
        <Button component={Link} to="/backup" variant="default" leftSection={<IconArchive size={16} aria-hidden />}>
          {__('Back up', 'pentad')}
        </Button>
      )}
      {can('upload_files') && (
        <Button component={Link} to="/media" variant="default" leftSection={<IconPhotoPlus size={16} aria-hidden />}>
          {__('Upload', 'pentad')}
        </Button>
      )}
    </>
  )
}
