import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatAgo, formatBytes, formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Figure, ServiceCard } from 'pentad/admin/screens/dashboard/card.tsx'
import { Link } from 'react-router'
import { CREATE } from './item-link.ts'
import { stageOf, typeOf } from './labels.ts'
import type { BackupRecord, Overview } from './types.ts'

const SHOWN = 4

export function BackupCard() {
  return (
    <ServiceCard service="backup" title={__('Backups', 'pentad')} to="/backup">
      <Backups />
    </ServiceCard>
  )
}

function Backups() {
  const overview = useRead<Overview>('backup/v1/backup/overview', undefined, {
    every: (data) => (data?.running ? 3000 : false),
  })
  return (
    <Loaded query={overview} lines={4}>
      {({ running, latest, next }) => (
        <Stack gap="sm">
          <Newest backup={latest[0]} next={next} />
          {running && <ProgressBar percent={running.percent} label={stageOf(running)} />}
          {latest.length > 0 && (
            <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {latest.slice(0, SHOWN).map(({ id, title, size, date, ...type }) => (
                <Group key={id} component="li" justify="space-between" wrap="nowrap" gap="xs">
                  <Text size="sm" truncate title={title}>
                    {title}
                  </Text>
                  <Group gap="xs" wrap="nowrap">
                    <Badge variant="default" size="sm">
                      {typeOf(type)}
                    </Badge>
                    <Text size="xs" c="dimmed" title={formatTime(date)}>
                      {formatBytes(size)}
                    </Text>
                  </Group>
                </Group>
              ))}
            </Stack>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function Newest({ backup, next }: { backup: BackupRecord | undefined; next: string | null }) {
  if (!backup) {
    return (
      <Text size="sm">
        {__('No backups yet.', 'pentad')}{' '}
        <Anchor component={Link} to={CREATE} size="sm">
          {__('Create the first backup', 'pentad')}
        </Anchor>
      </Text>
    )
  }
  return (
    <Figure
      value={formatAgo(backup.date)}
      label={
        next
          ? sprintf(__('last backup; next on %s', 'pentad'), formatTime(next))
          : __('last backup; none scheduled', 'pentad')
      }
    />
  )
}
