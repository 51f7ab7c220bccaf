// A reporter of Vitest: the test files that took the most processor time, with that of the programs that they started.
// `test/setup.ts` measures it. A clock would show how busy the machine was.

const shown = 20;

export default class SlowestFiles {
  onTestRunEnd(modules) {
    const files = modules
      .map((file) => ({
        name: `${file.project.name}: ${file.relativeModuleId}`,
        time: file.meta().processorTime ?? 0,
      }))
      .sort((a, b) => b.time - a.time);
    const total = files.reduce((sum, { time }) => sum + time, 0);
    console.log(`\nProcessor time: ${seconds(total)} in ${files.length} files, most of it in`);
    for (const { name, time } of files.slice(0, shown)) console.log(`${seconds(time).padStart(9)}  ${name}`);
  }
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
