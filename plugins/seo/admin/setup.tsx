import { Alert, Button, Group, List, Stack, Stepper, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { useChange, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { formatTime } from 'pentad/admin/parts/format.ts'
import { useLeaveGuard } from 'pentad/admin/parts/leave-guard.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { titleOf } from 'pentad/admin/settings/schema.ts'
import { SettingFields } from 'pentad/admin/settings/settings-form.tsx'
import { type SettingsDraft, useSettings } from 'pentad/admin/settings/use-settings.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, isAsked, SEO_FIELDS } from './fields.tsx'
import { SEO, type Setup, type SetupStep } from './routes.ts'
import classes from './setup.module.css'

export default function SeoSetup() {
  const setup = useRead<Setup>(`${SEO}/setup`)
  return (
    <Page
      title={__('Setup', 'pentad')}
      description={__('Answer a few questions. Settings that you don’t change stay as they are.', 'pentad')}
    >
      <Loaded query={setup}>{(answer) => <Wizard setup={answer} />}</Loaded>
    </Page>
  )
}

function Wizard({ setup: { steps, completedAt } }: { setup: Setup }) {
  const draft = useSettings('seo')
  const client = useQueryClient()
  const [at, setAt] = useState(0)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const { schema, values, changed, discard } = draft
  const answers = Object.fromEntries(changed.map((key) => [key, values[key]]))
  useLeaveGuard(changed.length > 0)
  const finish = useChange(() => change<{ completedAt: string }>('POST', `${SEO}/setup/complete`, { answers }), {
    invalidates: [`${SEO}/setup`, `${SEO}/overview`],
    done: __('Setup complete.', 'pentad'),
  })

  function complete() {
    finish.mutate(undefined, {
      async onSuccess() {
        discard()
        setRefused({})
        await client.invalidateQueries({ queryKey: ['page-data'] })
        setAt(steps.length + 1)
      },
      onError(error) {
        if (!(error instanceof ApiError)) return
        setRefused(error.params)
        const wrong = steps.findIndex(({ settings }) => settings.some((key) => key in error.params))
        if (wrong >= 0) setAt(wrong)
      },
    })
  }

  if (!schema) return null
  const isLast = at >= steps.length
  return (
    <Stack>
      {completedAt && at === 0 && (
        <Alert icon={<IconCircleCheck aria-hidden />} color="teal">
          {sprintf(__('Setup was completed on %s. You can run it again.', 'pentad'), formatTime(completedAt))}
        </Alert>
      )}
      <Stepper
        active={at}
        onStepClick={setAt}
        size="sm"
        iconSize={32}
        wrap={false}
        allowNextStepsSelect
        classNames={{ step: classes.step, stepBody: classes.body, separator: classes.separator }}
      >
        {steps.map((step) => (
          <Stepper.Step key={step.id} label={step.title} title={step.title}>
            <Step step={step} draft={{ ...draft, fieldErrors: { ...draft.fieldErrors, ...refused } }} />
          </Stepper.Step>
        ))}
        <Stepper.Step label={__('Finish', 'pentad')} title={__('Finish', 'pentad')}>
          <Section title={__('Summary', 'pentad')}>
            {changed.length === 0 ? (
              <Text size="sm">{__('No changes.', 'pentad')}</Text>
            ) : (
              <List size="sm">
                {changed.map((key) => (
                  <List.Item key={key}>
                    {titleOf(key, schema[key] ?? {})}: {answerOf(key, values[key])}
                  </List.Item>
                ))}
              </List>
            )}
          </Section>
        </Stepper.Step>
        <Stepper.Completed>
          <Section title={__('Done', 'pentad')}>
            <Text size="sm">{__('Search engines see the changes the next time they crawl your site.', 'pentad')}</Text>
            <Group>
              <Button component={Link} to="/seo">
                {__('View recommendations', 'pentad')}
              </Button>
              <Button component={Link} to="/seo/titles" variant="default">
                {__('Edit titles', 'pentad')}
              </Button>
            </Group>
          </Section>
        </Stepper.Completed>
      </Stepper>
      {at <= steps.length && (
        <Group>
          {at > 0 && (
            <Button variant="default" onClick={() => setAt(at - 1)}>
              {__('Back', 'pentad')}
            </Button>
          )}
          {isLast ? (
            <Button loading={finish.isPending} onClick={complete}>
              {__('Finish setup', 'pentad')}
            </Button>
          ) : (
            <Button onClick={() => setAt(at + 1)}>{__('Next', 'pentad')}</Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

function Step({ step: { title, description, settings }, draft }: { step: SetupStep; draft: SettingsDraft }) {
  return (
    <Section title={title} description={description}>
      <SettingFields draft={draft} keys={settings.filter((key) => isAsked(draft, key))} fields={SEO_FIELDS} />
    </Section>
  )
}
