import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { Card } from './card.tsx'

/** For subscribers, who have little to do in the admin. */
export function Welcome() {
  return (
    <Card title={__('Your account', 'pentad')}>
      <Text size="sm">
        {__(
          'You can comment on the site under your name. Edit your profile to change your name, email address, or password.',
          'pentad',
        )}
      </Text>
      <Group>
        <Button component={Link} to="/profile">
          {__('Edit profile', 'pentad')}
        </Button>
        <Button component="a" href={pageData.site.url} variant="default">
          {__('Visit site', 'pentad')}
        </Button>
      </Group>
    </Card>
  )
}
