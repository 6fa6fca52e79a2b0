import { Alert, Badge, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { ProgressBar } from 'pentad/admin/parts/progress-bar.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { titleOf } from 'pentad/admin/settings/schema.ts'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { type LegacyPlugin, MIGRATION, type Migration, type MigrationReport, SEO } from './routes.ts'

const POLL_INTERVAL = 1000

export default function SeoMigration() {
  const plugins = useRead<{ plugins: readonly LegacyPlugin[] }>(`${SEO}/legacy-seo`)
  const last = useRead<{ migration: Migration | null }>(MIGRATION, undefined, {
    every: (data) => (data?.migration?.state === 'running' ? POLL_INTERVAL : false),
  })
  return (
    <Page
      title={__('Import from another SEO plugin', 'pentad')}
      description={__(
        'Import titles, descriptions, settings, and redirects that another SEO plugin left on this site. The plugin’s own data is not deleted.',
        'pentad',
      )}
    >
      <Loaded query={last}>
        {({ migration }) => (
          <>
            {migration && <LastMigration migration={migration} plugins={plugins.data?.plugins ?? []} />}
            <Loaded query={plugins}>
              {({ plugins: found }) =>
                found.length === 0 ? (
                  <EmptyState
                    title={__('No SEO plugin data found', 'pentad')}
                    action={
                      <Button component={Link} to="/seo/redirects/import" variant="default">
                        {__('Import redirects from a file', 'pentad')}
                      </Button>
                    }
                  >
                    {__(
                      'After you import a WordPress site, its SEO titles, descriptions, and redirects appear here.',
                      'pentad',
                    )}
                  </EmptyState>
                ) : (
                  <Stack>
                    {found.map((plugin) => (
                      <Plugin key={plugin.id} plugin={plugin} isBusy={migration?.state === 'running'} />
                    ))}
                  </Stack>
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Plugin({ plugin: { id, name, posts, settings }, isBusy }: { plugin: LegacyPlugin; isBusy: boolean }) {
  const [overwrite, setOverwrite] = useState(false)
  const migrate = useChange((dryRun: boolean) => change('POST', MIGRATION, { from: id, dryRun, overwrite }), {
    invalidates: [MIGRATION],
  })
  async function takeOver() {
    const isSure = await confirm({
      title: sprintf(__('Import data from %s?', 'pentad'), name),
      body: overwrite
        ? __('Existing SEO data on this site will be overwritten.', 'pentad')
        : __('Existing SEO data on this site will be kept.', 'pentad'),
      confirm: __('Import', 'pentad'),
    })
    if (isSure) migrate.mutate(false)
  }
  return (
    <Section
      title={name}
      description={
        <Group gap="xs">
          {sprintf(_n('%s post', '%s posts', posts, 'pentad'), formatNumber(posts))}
          {settings && (
            <Badge size="sm" variant="light">
              {__('Includes settings', 'pentad')}
            </Badge>
          )}
        </Group>
      }
    >
      <Checkbox
        label={__('Overwrite existing data', 'pentad')}
        checked={overwrite}
        onChange={(event) => setOverwrite(event.currentTarget.checked)}
      />
      <Group>
        <Button
          variant="default"
          disabled={isBusy}
          onClick={() => migrate.mutate(true)}
          aria-label={sprintf(__('%1$s: %2$s', 'pentad'), __('Dry run', 'pentad'), name)}
        >
          {__('Dry run', 'pentad')}
        </Button>
        <Button disabled={isBusy} onClick={takeOver} aria-label={sprintf(__('Import from %s', 'pentad'), name)}>
          {__('Import', 'pentad')}
        </Button>
      </Group>
    </Section>
  )
}

function LastMigration({ migration, plugins }: { migration: Migration; plugins: readonly LegacyPlugin[] }) {
  const { from, state, percent, error, report, dryRun } = migration
  const name = plugins.find(({ id }) => id === from)?.name ?? from
  if (state === 'running')
    return <ProgressBar percent={percent} label={sprintf(__('Importing from %s…', 'pentad'), name)} />
  if (!report)
    return (
      <Alert color="red" title={sprintf(__('Import from %s failed', 'pentad'), name)}>
        {error ?? ''}{' '}
        {__(
          'Data that has already been imported is kept. Import again to finish; nothing is imported twice.',
          'pentad',
        )}
      </Alert>
    )
  return (
    <Section
      title={
        dryRun ? sprintf(__('Dry run report: %s', 'pentad'), name) : sprintf(__('Import report: %s', 'pentad'), name)
      }
    >
      {dryRun && <Text size="sm">{__('Nothing was changed. The import would have this result:', 'pentad')}</Text>}
      <Report report={report} />
    </Section>
  )
}

/** `Values: 3 imported, 1 unchanged`: omits zero counts; empty if all are zero. */
function counted(
  line: (counts: string) => string,
  parts: readonly (readonly [count: number, text: (count: string) => string])[],
): string[] {
  const counts = parts.filter(([count]) => count > 0).map(([count, text]) => text(formatNumber(count)))
  return counts.length > 0 ? [line(counts.join(', '))] : []
}

function Report({ report: { posts, terms, values, settings, redirects } }: { report: MigrationReport }) {
  const { schema } = useSettings('seo')
  const named = (keys: readonly string[]) => keys.map((key) => titleOf(key, schema?.[key] ?? {})).join(', ')
  const lines = [
    ...(posts.found > 0
      ? [sprintf(__('Posts: %1$s of %2$s updated', 'pentad'), formatNumber(posts.changed), formatNumber(posts.found))]
      : []),
    ...(terms.found > 0
      ? [sprintf(__('Terms: %1$s of %2$s updated', 'pentad'), formatNumber(terms.changed), formatNumber(terms.found))]
      : []),
    ...counted(
      (counts) => sprintf(__('SEO fields: %s', 'pentad'), counts),
      [
        [values.written, (count) => sprintf(__('%s imported', 'pentad'), count)],
        [values.same, (count) => sprintf(__('%s unchanged', 'pentad'), count)],
        [values.kept, (count) => sprintf(__('%s already existed', 'pentad'), count)],
      ],
    ),
    ...(values.writtenOut > 0
      ? [
          sprintf(
            __('Unsupported variables replaced with their current value: %s', 'pentad'),
            formatNumber(values.writtenOut),
          ),
        ]
      : []),
    ...(settings.written.length > 0 ? [sprintf(__('Settings: %s', 'pentad'), named(settings.written))] : []),
    ...(settings.kept.length > 0 ? [sprintf(__('Settings kept: %s', 'pentad'), named(settings.kept))] : []),
    ...counted(
      (counts) => sprintf(__('Redirects: %s', 'pentad'), counts),
      [
        [redirects.found, (count) => sprintf(__('%s found', 'pentad'), count)],
        [redirects.imported, (count) => sprintf(__('%s imported', 'pentad'), count)],
        [redirects.skipped, (count) => sprintf(__('%s already existed', 'pentad'), count)],
        [redirects.errors.length, (count) => sprintf(__('%s failed', 'pentad'), count)],
      ],
    ),
  ]
  return (
    <Stack gap="xs">
      <List size="sm">
        {(lines.length > 0 ? lines : [__('There was nothing to import.', 'pentad')]).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {values.notTaken.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {__('Not imported', 'pentad')}
          </Text>
          <List size="sm">
            {values.notTaken.map(({ what, times }) => (
              <List.Item key={what}>
                {formatNumber(times)} × {what}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  )
}
