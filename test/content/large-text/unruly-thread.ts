/** Entry of a thread that does what a task says. */
export default function run(task: string): string {
  if (task === 'loop') for (;;);
  if (task === 'fill') for (const all: string[][] = []; ; ) all.push(new Array(1_000_000).fill('x'))
  if (task === 'exit') process.exit(1)
  if (task === 'throw') throw new Error('It is broken.')
  return task.toUpperCase()
}
