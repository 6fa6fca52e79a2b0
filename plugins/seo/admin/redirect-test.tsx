import { Badge, Button, Code, Group, Stack, Text, TextInput, Timeline } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { type FormEvent, useState } from 'react'
import { REDIRECTS, type Trace } from './routes.ts'

const ENDS: Readonly<Record<Trace['end'], string>> = {
  page: __('No redirect takes it any further: the site answers.', 'pentad'),
  elsewhere: __('It leads to another site.', 'pentad'),
  gone: __('The site answers that the page is gone.', 'pentad'),
  loop: __('It would come back to where it was, so it is not followed.', 'pentad'),
  unknown: __('There are more hops than anybody follows.', 'pentad'),
}

/** Follows an address through the rules, and shows every hop. */
export function RedirectTest() {
  const [url, setUrl] = useState('')
  const test = useChange((asked: string) => change<Trace>('POST', `${REDIRECTS}/test`, { url: asked }), { quiet: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() !== '') test.mutate(url.trim())
  }
  return (
    <Section title={__('Test an address', 'pentad')} description={__('Nothing is counted.', 'pentad')}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={__('Address', 'pentad')}
            placeholder="/old-page/"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            style={{ flex: '1 1 16rem' }}
          />
          <Button type="submit" loading={test.isPending}>
            {__('Follow it', 'pentad')}
          </Button>
        </Group>
      </form>
      {test.error && <ErrorNote error={test.error} title={__('It can’t be followed', 'pentad')} />}
      {test.data && <Hops trace={test.data} />}
    </Section>
  )
}

function Hops({ trace: { hops, end, url } }: { trace: Trace }) {
  return (
    <Stack gap="sm" role="status">
      {hops.length > 0 && (
        <Timeline bulletSize={18} active={hops.length}>
          {hops.map((hop) => (
            <Timeline.Item key={hop.url} title={<Code>{hop.url}</Code>}>
              <Group gap="xs">
                <Badge size="sm" variant="default">
                  {hop.rule.status}
                </Badge>
                <Text size="sm" c="dimmed">
                  {sprintf(__('by the redirect of %s', 'pentad'), hop.rule.source)}
                </Text>
              </Group>
            </Timeline.Item>
          ))}
          <Timeline.Item title={<Code>{url}</Code>} />
        </Timeline>
      )}
      <Text size="sm">{hops.length === 0 ? __('No redirect takes this address.', 'pentad') : ENDS[end]}</Text>
    </Stack>
  )
}
