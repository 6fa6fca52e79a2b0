import { defineFirstRun } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { BACKUP_FIELDS } from './fields.tsx'

export default defineFirstRun({
  id: 'backup',
  title: __('Backups', 'pentad'),
  description: __(
    'Back up the site automatically, so that you can restore it after a mistake or a failure. You can add a remote location later under Backup → Locations.',
    'pentad',
  ),
  keys: ['automaticBackups', 'automaticBackupsFrequency', 'automaticBackupsTime'],
  fields: BACKUP_FIELDS,
  suggested: { automaticBackups: 'on' },
})
