import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { SettingsForm, type SettingsGroup } from 'pentad/admin/settings/settings-form.tsx'
import { BACKUP_FIELDS } from './fields.tsx'
import { useBackupSettings } from './use-backup-settings.ts'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Automatic backups', 'pentad'),
    description: __(
      'Weekly backups run on Mondays, monthly backups on the first of the month. If the site is not running at that time, the backup runs when it starts again.',
      'pentad',
    ),
    keys: ['automaticBackups', 'automaticBackupsFrequency', 'automaticBackupsTime', 'automaticBackupsExclusions'],
  },
  {
    title: __('Retention and storage', 'pentad'),
    keys: ['keepLatestBackupsCount', 'defaultLocation', 'excludePatterns', 'compression'],
  },
  { title: __('Email notifications', 'pentad'), keys: ['notifications', 'notificationEmail'] },
]

export default function BackupSettings() {
  const draft = useBackupSettings()
  return (
    <Page isForm title={__('Schedule and settings', 'pentad')}>
      <SettingsForm draft={draft} groups={GROUPS} fields={BACKUP_FIELDS} />
    </Page>
  )
}
