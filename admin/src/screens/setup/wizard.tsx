import { Anchor, Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { hasService, pageData } from '../../page-data.ts'
import { formatNumber } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import type { PluginFirstRun } from '../../plugins/types.ts'
import { useSettingValues } from '../../settings/use-settings.ts'
import type { StepMoves } from './step-form.tsx'
import { ContentStep, LookStep, MailStep, PluginStep, SearchStep, SiteStep } from './steps.tsx'

const ofPlugins = import.meta.glob<PluginFirstRun>('../../../../plugins/*/admin/first-run.ts', {
  eager: true,
  import: 'default',
})

interface Step {
  readonly id: string
  readonly render: (moves: StepMoves) => ReactNode
}

/** Constant while the page is open. */
const STEPS: readonly Step[] = [
  { id: 'site', render: (moves) => <SiteStep {...moves} /> },
  { id: 'look', render: (moves) => <LookStep {...moves} /> },
  { id: 'content', render: (moves) => <ContentStep {...moves} /> },
  { id: 'mail', render: (moves) => <MailStep {...moves} /> },
  ...Object.values(ofPlugins)
    .filter(({ id }) => hasService(id))
    .map((step): Step => ({ id: step.id, render: (moves) => <PluginStep step={step} {...moves} /> })),
  { id: 'search', render: (moves) => <SearchStep {...moves} /> },
]

interface Setup {
  readonly state?: 'finished' | 'dismissed'
  readonly step?: string
}

/** The setup of a new site: every step can be skipped, and the wizard continues where it was left. */
export default function SetupWizard() {
  const client = useQueryClient()
  const stored = useSettingValues('setup')
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      STEPS.findIndex(({ id }) => id === stored.step),
    ),
  )
  const store = useChange((settings: Setup) => change('PUT', 'host/v1/settings/setup', { settings }))

  async function goTo(place: number): Promise<void> {
    const step = STEPS[place]
    if (!step) return end('finished')
    await store.mutateAsync({ step: step.id })
    setAt(place)
  }
  async function end(state: 'finished' | 'dismissed'): Promise<void> {
    // Opened again later, it starts from the beginning.
    await store.mutateAsync({ state, step: 'site' })
    await client.invalidateQueries({ queryKey: ['page-data'] })
    setAt(STEPS.length)
  }

  const current = STEPS[at]
  if (!current) return <Welcome />
  return (
    <Page
      title={__('Set up your site', 'pentad')}
      description={__('Every step is optional, and you can change everything later.', 'pentad')}
      actions={
        <Button variant="subtle" onClick={() => void end('dismissed')}>
          {__('Exit setup', 'pentad')}
        </Button>
      }
    >
      <Box maw={760}>
        <Stack>
          <div>
            <Text size="sm" c="dimmed" mb={4} aria-live="polite">
              {sprintf(__('Step %1$s of %2$s', 'pentad'), formatNumber(at + 1), formatNumber(STEPS.length))}
            </Text>
            <Progress value={((at + 1) / STEPS.length) * 100} size="sm" aria-hidden />
          </div>
          <Fragment key={current.id}>
            {current.render({
              back: at > 0 ? () => goTo(at - 1) : undefined,
              next: () => goTo(at + 1),
              label: at === STEPS.length - 1 ? __('Finish setup', 'pentad') : __('Save and continue', 'pentad'),
            })}
          </Fragment>
        </Stack>
      </Box>
    </Page>
  )
}

/** After the wizard: what to do first. */
function Welcome() {
  return (
    <Page title={__('Your site is ready', 'pentad')}>
      <Box maw={760}>
        <Section
          title={__('Write your first post', 'pentad')}
          description={__('Type / in the editor to add images, galleries, videos, and other blocks.', 'pentad')}
        >
          <Group>
            <Button component={Link} to="/posts/new">
              {__('Write a post', 'pentad')}
            </Button>
            <Button component={Link} to="/pages/new" variant="default">
              {__('Add a page', 'pentad')}
            </Button>
            <Button component={Link} to="/" variant="default">
              {__('Go to the dashboard', 'pentad')}
            </Button>
          </Group>
          <Text size="sm">
            <Anchor href={pageData.site.url} size="sm">
              {__('Visit site', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      </Box>
    </Page>
  )
}
