// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A plain ERC-20 whose supply is for the asking; the odd ones below change one habit each.
contract PlainToken {
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function approve(address spender, uint256 amount) public virtual returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) public virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public virtual returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function _spend(address from, uint256 amount) internal {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= amount, "token: allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        require(balanceOf[from] >= amount, "token: balance");
        unchecked {
            balanceOf[from] -= amount;
        }
        balanceOf[to] += amount;
    }
}

/// A share of a pool of Balancer's second vault, which may always take it: the allowance that it answers says nothing.
contract ShareToken {
    address public immutable vault;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public granted;

    constructor(address of_) {
        vault = of_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function allowance(address owner, address spender) public view returns (uint256) {
        return spender == vault ? type(uint256).max : granted[owner][spender];
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        granted[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (msg.sender != vault) granted[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// Answers transfers and approvals with nothing, and wants an approval reset before it is changed (as USDT does).
contract NoReturnToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "reset first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// Answers `false` instead of reverting.
contract FalseToken is PlainToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        if (balanceOf[msg.sender] < amount) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (balanceOf[from] < amount || allowance[from][msg.sender] < amount) return false;
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }
}

/// Keeps a share of every transfer.
contract FeeToken is PlainToken {
    uint256 public immutable feeBps;

    constructor(uint256 bps) {
        feeBps = bps;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = amount * feeBps / 10_000;
        super._move(from, address(0xdead), fee);
        super._move(from, to, amount - fee);
    }
}

interface TokenHook {
    function tokensMoved(address from, address to, uint256 amount) external;
}

/// Tells a sender and a receiver that asked for it about every transfer (as ERC-777 does).
contract HookedToken is PlainToken {
    mapping(address => address) public hookOf;

    function setHook(address hook) external {
        hookOf[msg.sender] = hook;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (hookOf[from] != address(0)) TokenHook(hookOf[from]).tokensMoved(from, to, amount);
        super._move(from, to, amount);
        if (hookOf[to] != address(0)) TokenHook(hookOf[to]).tokensMoved(from, to, amount);
    }
}

/// Balances that move without transfers (as a rebasing token's do).
contract RebasingToken is PlainToken {
    function rebase(address account, int256 change) external {
        balanceOf[account] = uint256(int256(balanceOf[account]) + change);
    }
}

/// Takes allowances by EIP-2612 signatures.
contract PermitToken is PlainToken {
    mapping(address => uint256) public nonces;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 domain = keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(domain, block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "expired");
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 hash = keccak256(abi.encode(kind, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), hash));
        require(owner != address(0) && ecrecover(digest, v, r, s) == owner, "signature");
        allowance[owner][spender] = value;
    }
}

/// Takes endless allowances by DAI's own signatures.
contract DaiToken is PlainToken {
    mapping(address => uint256) public nonces;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 domain = keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(domain, block.chainid, address(this)));
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(nonce == nonces[holder]++ && (expiry == 0 || block.timestamp <= expiry), "nonce or expiry");
        bytes32 kind =
            keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        bytes32 hash = keccak256(abi.encode(kind, holder, spender, nonce, expiry, allowed));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), hash));
        require(holder != address(0) && ecrecover(digest, v, r, s) == holder, "signature");
        allowance[holder][spender] = allowed ? type(uint256).max : 0;
    }
}
