// The suite of Apollo is written for jest; ours is not. It runs on its own, with packages of its own.
export default {
  testEnvironment: 'node',
  testMatch: ['**/*.suite.mjs'],
  transform: {},
};
