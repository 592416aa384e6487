// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Answers any call as it was told, and makes the calls it was told to make first: every hostile pool in one contract.
contract Puppet {
    struct Act {
        address target;
        bytes data;
        /// Whether a failure of this call is passed on; else it is only counted.
        bool strict;
    }

    mapping(bytes4 => Act[]) private acts;
    mapping(bytes4 => bytes) private answers;
    uint256 public failures;
    bytes public lastFailure;

    function onCall(bytes4 selector, bytes memory answer) external {
        answers[selector] = answer;
        delete acts[selector];
    }

    function thenCall(bytes4 selector, address target, bytes memory data, bool strict) external {
        acts[selector].push(Act(target, data, strict));
    }

    fallback() external payable {
        Act[] storage todo = acts[msg.sig];
        for (uint256 index = 0; index < todo.length; ++index) {
            (bool done, bytes memory answer) = todo[index].target.call(todo[index].data);
            if (done) continue;
            if (todo[index].strict) {
                assembly {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
            failures += 1;
            lastFailure = answer;
        }
        bytes memory said = answers[msg.sig];
        assembly {
            return(add(said, 0x20), mload(said))
        }
    }

    receive() external payable {}
}
